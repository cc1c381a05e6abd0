export const templateName = 'efb_template';

/** The time of clocks in tests. */
export const startOfTests = '2026-09-16T12:00:00Z';
