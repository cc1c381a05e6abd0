/** Default pictures of users: neutral drawings, so that both URLs always return an image. */
const svg = (width: number, height: number, drawing: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="No picture">` +
  `<rect width="${width}" height="${height}" fill="#d5dbe3"/>${drawing}</svg>`;

const person =
  '<g fill="#8492a6"><circle cx="256" cy="196" r="92"/><path d="M80 512a176 176 0 0 1 352 0z"/></g>';
const plane =
  '<path fill="#8492a6" d="M482 512 290 400v-60l222 66V232l64-80 64 80v174l222-66v60L670 512v66l70 52v40l-164-46-164 46v-40l70-52z"/>';

const pictures: ReadonlyMap<string, string> = new Map([
  ['default-profile.svg', svg(512, 512, person)],
  ['default-alias.svg', svg(1152, 1024, plane)],
]);

export const defaultPicture = (name: string): string | null => pictures.get(name) ?? null;
