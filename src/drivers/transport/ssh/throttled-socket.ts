import { Socket } from 'node:net';
import type { CpuThrottle } from '../../../lib/concurrency.ts';

/** A piece that goes through at once. A hostile host can put some thirty messages into it, each with cryptography of its own. */
const CHUNK_BYTES = 1024;
/** What waits for a host that sends and does not read. */
const MAX_UNREAD_BYTES = 4_194_304;

/**
 * A connection whose data goes through a turnstile. Cryptography is done where data arrives; without it, as many handshakes as have
 * something to read are computed in a row, and requests wait for all of them.
 */
export class ThrottledSocket extends Socket {
  readonly #turns: CpuThrottle;
  readonly #queue: unknown[] = [];

  constructor(turns: CpuThrottle) {
    super();
    this.#turns = turns;
  }

  /** Called with what has arrived. `false` stops the reading: while something waits, nothing is taken from the kernel. */
  override push(chunk: unknown): boolean {
    if (this.writableLength > MAX_UNREAD_BYTES) {
      this.destroy(new Error('the host does not read from the connection'));
      return false;
    }
    const isQueued = this.#queue.length > 0;
    this.#queue.push(...splitChunk(chunk));
    // What waits already takes along whatever comes behind it.
    return !isQueued && this.#forward();
  }

  /** All that waits, as far as there is time; the rest in later turns. */
  #forward(): boolean {
    let wantsMore = true;
    // Of a connection that was cut off nothing is read any more.
    while (this.#queue.length > 0 && !this.destroyed) {
      let isDeferred = false;
      isDeferred = this.#turns.run(() => {
        wantsMore = super.push(this.#queue.shift());
        if (isDeferred && this.#forward() && wantsMore && !this.destroyed) this._read(0);
      });
      if (isDeferred) return false;
    }
    return wantsMore;
  }
}

/** The end of the stream, null, is a piece too. */
function splitChunk(chunk: unknown): unknown[] {
  if (!(chunk instanceof Uint8Array) || chunk.length <= CHUNK_BYTES) return [chunk];
  const count = Math.ceil(chunk.length / CHUNK_BYTES);
  return Array.from({ length: count }, (_, at) => chunk.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES));
}
