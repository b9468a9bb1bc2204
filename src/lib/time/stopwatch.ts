/** Begins to measure. What it answers tells how many seconds have passed since. */
export function stopwatch(): () => number {
  const begunMs = performance.now();
  return () => (performance.now() - begunMs) / 1000;
}
