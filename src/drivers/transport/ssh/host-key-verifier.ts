import { hostKeyLine, isHostKey, stripKeyComment } from '../../../domain/hosts/host-key.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import { hostKeyChangedFailure } from '../host-keys.ts';

const NO_MATCHING_KEY_TYPE = 'Handshake failed: no matching host key format';

export class HostKeyVerifier {
  readonly #known: ReadonlySet<string>;
  #isRejected = false;
  presentedKey = '';
  /** Whether the host has no key with the type of a known key. */
  hasNoKnownKeyType = false;

  /** Without known keys, the first presented key is trusted. */
  constructor(hostKeys: readonly string[]) {
    this.#known = new Set(hostKeys.map(stripKeyComment));
  }

  verify(blob: Buffer): boolean {
    const line = hostKeyLine(blob);
    // Later key exchanges on the connection must present the same key.
    const isTrusted = this.presentedKey === '' || this.presentedKey === line;
    this.#isRejected = !isHostKey(line) || !(this.#known.size > 0 ? this.#known.has(line) : isTrusted);
    this.presentedKey = line;
    return !this.#isRejected;
  }

  toFailure(error: Error): TransportFailure | undefined {
    if (this.#isRejected && isHostKey(this.presentedKey)) return hostKeyChangedFailure(this.presentedKey);
    if (this.#isRejected) {
      const detail = `the host presented a key of an unknown type: ${sanitizeLine(this.presentedKey, 40)}`;
      return new TransportFailure('unreachable', detail);
    }
    if (this.#known.size === 0 || error.message !== NO_MATCHING_KEY_TYPE) return undefined;
    this.hasNoKnownKeyType = true;
    return new TransportFailure('host_key_changed', 'the host has no key of the same type as its known keys');
  }
}
