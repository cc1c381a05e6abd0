import { expect, test } from 'vitest';
import { createIntake } from './intake.ts';

test('A client has its share of the room, all clients together have the whole', () => {
  const enter = createIntake({ maxBytes: 100, maxShareBytes: 40 });
  const leave = [enter('a', 30), enter('b', 40), enter('c', 30)];
  expect(() => enter('a', 11)).toThrow(
    expect.objectContaining({ code: 'RATE_LIMITED', headers: { 'Retry-After': '1' } }),
  );
  expect(() => enter('d', 1)).toThrow(
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } }),
  );
  leave[0]?.();
  expect(() => enter('b', 1)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  enter('a', 30)();
  enter('d', 30);
  expect(() => enter('a', 1)).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
});
