/** Active applications that an account may own. */
export const maxApplications = 5;
/** How long the previous key stays valid after a rotation. */
export const keyOverlapSeconds = 86_400;
/** How long developers stay signed in. */
export const sessionSeconds = 43_200;
