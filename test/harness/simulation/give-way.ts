/** Less than most queries take. */
const MOMENT_MS = 0.05;

const never = new Int32Array(new SharedArrayBuffer(4));

/**
 * Leaves the processor to others for a moment, and answers `false`. The clock asks at every turn of the event loop whether a query is
 * still under way: without this it would keep the processor from the database that it waits for.
 */
export function giveWay(): false {
  Atomics.wait(never, 0, 0, MOMENT_MS);
  return false;
}
