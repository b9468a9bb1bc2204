import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { createTempFolder } from '../temp-folders.ts';

export interface CertificateRequestOptions {
  /** In the form of openssl: `/O=system:nodes/CN=system:node:n1`. */
  readonly subject: string;
  /** Extension lines of the openssl configuration, such as `subjectAltName = DNS:n1`. */
  readonly extensions?: readonly string[];
  /** Attribute lines. openssl ignores them if the subject is an argument. */
  readonly attributes?: readonly string[];
  /** Uses PrintableString as Go does; otherwise UTF8String. */
  readonly isPrintable?: boolean;
}

let keyPem: string | undefined;
const cache = new Map<string, string>();

const openssl = (args: readonly string[]) => execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' });

/** All requests share one key. */
function sharedKey(): string {
  keyPem ??= openssl(['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:prime256v1']);
  return keyPem;
}

export function certificateRequestPem(options: CertificateRequestOptions): string {
  const { subject, extensions = [], attributes = [], isPrintable = false } = options;
  const hasAttributes = attributes.length > 0;
  const configuration = [
    '[req]',
    'prompt = no',
    'distinguished_name = subject',
    `string_mask = ${isPrintable ? 'nombstr' : 'utf8only'}`,
    ...(extensions.length > 0 ? ['req_extensions = extensions'] : []),
    ...(hasAttributes ? ['attributes = attributes'] : []),
    ...['[subject]', ...(hasAttributes ? subject.split('/').slice(1) : []), '[extensions]', ...extensions],
    ...['[attributes]', ...attributes, ''],
  ].join('\n');
  const cached = cache.get(configuration + subject);
  if (cached !== undefined) return cached;
  const { folder, remove } = createTempFolder({ key: sharedKey(), config: configuration });
  try {
    const args = ['req', '-new', '-key', path.join(folder, 'key'), '-config', path.join(folder, 'config')];
    const pem = openssl([...args, ...(hasAttributes ? [] : ['-subj', subject])]);
    cache.set(configuration + subject, pem);
    return pem;
  } finally {
    remove();
  }
}

/** The request of a joining kubelet, base64-encoded for the Kubernetes API. */
export const kubeletRequest = (): string =>
  Buffer.from(certificateRequestPem({ subject: '/O=system:nodes/CN=system:node:n1' })).toString('base64');
