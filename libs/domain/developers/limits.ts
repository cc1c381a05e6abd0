/** Applications in use that an account may own. */
export const maxApplications = 5;
/** So long the key before a rotation is accepted. */
export const keyOverlapSeconds = 86_400;
/** So long a developer stays signed in at the pages. */
export const sessionSeconds = 43_200;
