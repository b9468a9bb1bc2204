import type { TlsFiles } from '../tls-files.ts';

const TCP = /^tcp:\/\/([^/:[\]]+|\[[^\]]*\])(:\d+)?(\/.*)?$/;

const hasTls = ({ caPath, certificatePath, certificateKeyPath }: TlsFiles): boolean =>
  [caPath, certificatePath, certificateKeyPath].some(path => path !== undefined);

/** What Docker calls `tcp` is TLS where there are files for it, and has a port of its own for either. */
export function engineUrl(url: string, files: TlsFiles): string {
  const [isTcp, host, port, path = ''] = TCP.exec(url) ?? [];
  if (isTcp === undefined) return url;
  const [scheme, usualPort] = hasTls(files) ? ['https', ':2376'] : ['http', ':2375'];
  return `${scheme}://${host}${port ?? usualPort}${path}`;
}
