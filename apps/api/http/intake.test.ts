import { expect, test } from 'vitest';
import { createIntake } from './intake.ts';

const noRoom = { code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } };

test('A client has its share by what it announces, all clients have the room by what has arrived', () => {
  const enter = createIntake({ maxBytes: 100, maxShareBytes: 80 });
  const [first, second] = [enter('a', 40), enter('a', 40)];
  expect(() => enter('a', 1)).toThrow(
    expect.objectContaining({ code: 'RATE_LIMITED', headers: { 'Retry-After': '1' } }),
  );
  const others = ['b', 'c', 'd', 'e'].map((client) => enter(client, 80));
  for (const other of others) other.take(20);
  expect(() => others[0]?.take(21)).toThrow(expect.objectContaining(noRoom));
  expect(() => enter('f', 21)).toThrow(expect.objectContaining(noRoom));
  others[0]?.leave();
  first?.leave();
  second?.leave();
  const last = enter('f', 40);
  last.take(40);
  expect(() => last.take(1)).toThrow(expect.objectContaining(noRoom));
});

test('A quarter of the room is for clients with a single body', () => {
  const enter = createIntake({ maxBytes: 100, maxShareBytes: 100 });
  const [one, two] = [enter('a', 30), enter('a', 60)];
  one?.take(30);
  two?.take(45);
  expect(() => one?.take(1)).toThrow(expect.objectContaining(noRoom));
  expect(() => enter('a', 1)).toThrow(expect.objectContaining(noRoom));
  enter('b', 25).take(25);
  one?.leave();
  enter('c', 30);
});
