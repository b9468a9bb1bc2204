import { Socket } from 'node:net';
import type { CpuThrottle } from '../../../lib/concurrency.ts';

/** Chunk size. A hostile host can put about thirty messages into a chunk, each of which needs cryptography. */
const CHUNK_BYTES = 1024;
const MAX_UNREAD_BYTES = 4_194_304;

/** ssh2 computes the cryptography when data arrives; all pending handshakes in a row would block requests. */
export class ThrottledSocket extends Socket {
  readonly #throttle: CpuThrottle;
  readonly #queue: unknown[] = [];

  constructor(throttle: CpuThrottle) {
    super();
    this.#throttle = throttle;
  }

  /** Returning `false` stops reading, so nothing is read from the kernel while data is queued. */
  override push(chunk: unknown): boolean {
    if (this.writableLength > MAX_UNREAD_BYTES) {
      this.destroy(new Error('the host does not read from the connection'));
      return false;
    }
    const isQueued = this.#queue.length > 0;
    this.#queue.push(...splitChunk(chunk));
    // The deferred run forwards the whole queue.
    return !isQueued && this.#forward();
  }

  #forward(): boolean {
    let wantsMore = true;
    while (this.#queue.length > 0 && !this.destroyed) {
      let isDeferred = false;
      isDeferred = this.#throttle.run(() => {
        wantsMore = super.push(this.#queue.shift());
        if (isDeferred && this.#forward() && wantsMore && !this.destroyed) this._read(0);
      });
      if (isDeferred) return false;
    }
    return wantsMore;
  }
}

/** `null`, the end of the stream, is a chunk too. */
function splitChunk(chunk: unknown): unknown[] {
  if (!(chunk instanceof Uint8Array) || chunk.length <= CHUNK_BYTES) return [chunk];
  const count = Math.ceil(chunk.length / CHUNK_BYTES);
  return Array.from({ length: count }, (_, index) => chunk.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES));
}
