/** Loaded into every child: when the supervisor is gone without a word, the child ends too. */
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), 10_000).unref();
});
// The listener alone would keep an otherwise finished child alive.
process.channel?.unref();
