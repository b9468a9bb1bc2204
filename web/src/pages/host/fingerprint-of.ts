/** As `ssh-keygen -l` prints it, of a line of a public key; `undefined` where the browser makes no digests, as over plain HTTP. */
export async function fingerprintOf(line: string): Promise<string | undefined> {
  const base64 = line.split(' ')[1] ?? '';
  if (globalThis.crypto?.subtle === undefined) return undefined;
  const blob = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', blob));
  return `SHA256:${btoa(String.fromCharCode(...digest)).replace(/=+$/, '')}`;
}
