import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../api/query-keys.ts';
import { DescriptionList, Panel, QueryView } from '../../ui/page.tsx';
import styles from './host.module.css';
import type { HostStatusInfo } from './queries.ts';
import { useHostAccess } from './queries.ts';

/**
 * Fingerprint of a public key in the format of `ssh-keygen -l`. Undefined if the browser has no SubtleCrypto, for
 * example over plain HTTP.
 */
async function computeFingerprint(line: string): Promise<string | undefined> {
  const base64 = line.split(' ')[1] ?? '';
  if (globalThis.crypto?.subtle === undefined) return undefined;
  const blob = Uint8Array.from(atob(base64), char => char.charCodeAt(0));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', blob));
  return `SHA256:${btoa(String.fromCharCode(...digest)).replace(/=+$/, '')}`;
}

/** Shows the fingerprint, or the key if the browser cannot compute one. */
function HostKey({ line }: { readonly line: string }) {
  const fingerprint = useQuery({
    queryKey: queryKeys.fingerprint(line),
    queryFn: async () => (await computeFingerprint(line)) ?? '',
  });
  const [type = '', base64 = ''] = line.split(' ');
  return (
    <li>
      <p>{type}</p>
      <p className={styles.key} title={base64}>
        {fingerprint.data || base64}
      </p>
    </li>
  );
}

export function AccessPanel({ address, status }: { readonly address: string; readonly status: HostStatusInfo }) {
  const query = useHostAccess(address);
  return (
    <Panel title="Access">
      <QueryView query={query} label="access">
        {access => (
          <DescriptionList
            items={[
              ['SSH user', access.remote_user],
              ['Port', access.ssh_port],
              ['Transport', status.transport ?? 'Default transport'],
              [
                'Host keys',
                access.host_keys.length === 0 ? (
                  'None yet'
                ) : (
                  <ul className={styles.list}>
                    {access.host_keys.map(line => (
                      <HostKey key={line} line={line} />
                    ))}
                  </ul>
                ),
              ],
            ]}
          />
        )}
      </QueryView>
    </Panel>
  );
}
