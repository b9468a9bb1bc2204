/** The target of a request as routes know it: without scheme and host, which proxies may send (RFC 9112). */
const ownPart = (target: string) =>
  target.startsWith('/') ? target : `/${target.replace(/^https?:\/\/[^/?#]*\/?/i, '')}`;

/** A path that cannot be decoded is taken as it stands, so that it meets the same checks as any other. */
export function readablePath(target: string): string {
  const url = ownPart(target);
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  if (!path.includes('%')) return url;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}
