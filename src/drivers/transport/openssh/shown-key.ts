import { hostKeyLine } from '../../../domain/hosts/host-key.ts';
import { FieldReader, field } from '../../../lib/ssh-forms/wire-fields.ts';

/** What a host has shown. */
export interface ShownKey {
  /** The plain key, as in `/etc/ssh/ssh_host_*_key.pub`, without a comment. */
  readonly line: string;
  /** Whether an authority's word came with it. Whether that is a known one, ssh has judged. */
  readonly isCertified: boolean;
}

const CERTIFICATE = /^(.+)-cert-v01@openssh\.com$/;

/** How many fields of a certificate, after its type and a nonce, are the key: see PROTOCOL.certkeys of OpenSSH. */
const keyFields = (type: string): number => (type === 'ssh-ed25519' ? 1 : 2);

/** Reads a key as it goes over the wire, and takes it out of its certificate. */
export function shownKey(blob: Buffer): ShownKey {
  const fields = new FieldReader(blob);
  const type = CERTIFICATE.exec(fields.text())?.[1];
  if (type === undefined) return { line: hostKeyLine(blob), isCertified: false };
  fields.field();
  const key = Array.from({ length: keyFields(type) }, () => field(fields.field()));
  return { line: hostKeyLine(Buffer.concat([field(type), ...key])), isCertified: true };
}
