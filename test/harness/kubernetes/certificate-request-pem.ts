import { execFileSync } from 'node:child_process';

let made: string | undefined;

/** What a kubelet that joins asks for, as base64 of PEM. It is made once; nobody has its key. */
export function certificateRequest(): string {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '/dev/null'];
  const subject = ['-subj', '/O=system:nodes/CN=system:node:n1'];
  made ??= execFileSync('openssl', ['req', '-new', ...key, ...subject], { stdio: 'pipe' }).toString('base64');
  return made;
}
