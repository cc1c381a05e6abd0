/** Loaded into every child: when the supervisor is gone without a word, the child ends too. */
process.on('disconnect', () => {
  // A child that listens itself stops in its own order; a second signal would cut that short.
  if (process.listenerCount('disconnect') === 1) process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), 10_000).unref();
});
// The listener alone would keep an otherwise finished child alive.
process.channel?.unref();
