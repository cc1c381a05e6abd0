/** A drawing scene that the engine's drawing accepts. */
export const sampleScene: unknown = { title: 'sample' };
