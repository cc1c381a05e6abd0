/** A value as the text of a table's cell, without control characters: stored texts must not steer the terminal. */
export const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return `${value.toISOString().slice(0, 16).replace('T', ' ')}Z`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cellOf).join(' ');
  // Besides control characters, those that reverse the direction of the rest of the line.
  return (typeof value === 'string' ? value : JSON.stringify(value)).replace(
    /[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu,
    ' ',
  );
};
