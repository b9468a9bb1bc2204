import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface RequestOptions {
  /** As openssl takes it: `/O=system:nodes/CN=system:node:n1`. */
  readonly subject: string;
  /** Lines of extensions in openssl's configuration, such as `subjectAltName = DNS:n1`. */
  readonly extensions?: readonly string[];
  /** The same of attributes. openssl forgets them where the subject is given in its arguments. */
  readonly attributes?: readonly string[];
  /** As Go does; without, texts are UTF-8. */
  readonly isPrintable?: boolean;
}

let folder: string | undefined;
const made = new Map<string, string>();

/** A folder with a key that all requests are for. */
function workshop(): string {
  if (folder !== undefined) return folder;
  folder = mkdtempSync(path.join(tmpdir(), 'hostler-requests-'));
  const made = folder;
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  const curve = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  execFileSync('openssl', ['genpkey', ...curve, '-out', path.join(made, 'key')], { stdio: 'pipe' });
  return made;
}

/** A request for a certificate as PEM, made by openssl. */
export function certificateRequestPem(options: RequestOptions): string {
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
  const known = made.get(configuration + subject);
  if (known !== undefined) return known;
  const place = (name: string) => path.join(workshop(), name);
  writeFileSync(place('config'), configuration);
  const args = ['req', '-new', '-key', place('key'), '-config', place('config')];
  const pem = execFileSync('openssl', [...args, ...(hasAttributes ? [] : ['-subj', subject])], {
    stdio: 'pipe',
  }).toString();
  made.set(configuration + subject, pem);
  return pem;
}

/** What a kubelet that joins asks for, as the API of Kubernetes takes it. */
export const kubeletRequest = (): string =>
  Buffer.from(certificateRequestPem({ subject: '/O=system:nodes/CN=system:node:n1' })).toString('base64');
