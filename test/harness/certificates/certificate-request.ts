import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

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

let folder: string | undefined;
const cache = new Map<string, string>();

/** All requests share one key. */
function ensureKeyFolder(): string {
  if (folder !== undefined) return folder;
  folder = mkdtempSync(path.join(tmpdir(), 'hostler-requests-'));
  const created = folder;
  process.once('exit', () => rmSync(created, { recursive: true, force: true }));
  const curve = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  execFileSync('openssl', ['genpkey', ...curve, '-out', path.join(created, 'key')], { stdio: 'pipe' });
  return created;
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
  const inFolder = (name: string) => path.join(ensureKeyFolder(), name);
  writeFileSync(inFolder('config'), configuration);
  const args = ['req', '-new', '-key', inFolder('key'), '-config', inFolder('config')];
  const pem = execFileSync('openssl', [...args, ...(hasAttributes ? [] : ['-subj', subject])], {
    stdio: 'pipe',
  }).toString();
  cache.set(configuration + subject, pem);
  return pem;
}

/** The request of a joining kubelet, base64-encoded for the Kubernetes API. */
export const kubeletRequest = (): string =>
  Buffer.from(certificateRequestPem({ subject: '/O=system:nodes/CN=system:node:n1' })).toString('base64');
