/** Loaded into every child: when the supervisor disappears, the child ends too. */
process.on('disconnect', () => {
  // A child with its own listener shuts down in order; a second signal would cut that short.
  if (process.listenerCount('disconnect') === 1) process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), 1_500).unref();
});
// The listener alone would keep an otherwise finished child alive.
process.channel?.unref();
