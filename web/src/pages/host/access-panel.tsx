import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/keys.ts';
import { Facts, Panel } from '../../ui/page.tsx';
import { Read } from '../../ui/read.tsx';
import { fingerprintOf } from './fingerprint-of.ts';
import styles from './host.module.css';
import type { OwnStatus } from './use-host.ts';
import { useHostAccess } from './use-host.ts';

/** A public key; its fingerprint, where the browser can make one, is what people compare. */
function HostKey({ line }: { readonly line: string }) {
  const fingerprint = useQuery({
    queryKey: keys.fingerprint(line),
    queryFn: async () => (await fingerprintOf(line)) ?? '',
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

/** How the service gets into it. */
export function AccessPanel({ address, own }: { readonly address: string; readonly own: OwnStatus }) {
  const query = useHostAccess(address);
  return (
    <Panel title="Access">
      <Read of={query} what="access">
        {access => (
          <Facts
            of={[
              ['SSH user', access.remote_user],
              ['Port', access.ssh_port],
              ['Transport', own.transport ?? 'Default transport'],
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
      </Read>
    </Panel>
  );
}
