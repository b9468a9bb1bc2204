import { sizeText } from '#client/size-text.ts';
import { Facts, Panel } from '../../ui/page.tsx';
import { When } from '../../ui/when.tsx';
import styles from './host.module.css';
import type { HostRecord, OwnStatus } from './use-host.ts';

const known = (text: string | number) => (text === '' || text === 0 ? '–' : text);

/** What it is made of. */
export const FactsPanel = ({ host, own }: { readonly host: HostRecord; readonly own: OwnStatus }) => (
  <Panel title="Facts">
    <Facts
      of={[
        ['Hostname', known(own.hostname ?? '')],
        ['OS', known(host.os)],
        ['CPUs', known(host.cpus)],
        ['Memory', known(sizeText(host.memory))],
        ['Disk', known(sizeText(host.space))],
        ['Last health check', <When key="check" at={host.last_check} as="ago" never="Never" />],
        [
          'Boot ID',
          <code key="boot" className={styles.key}>
            {own.boot_id ?? '–'}
          </code>,
        ],
        ['Facts read from', host.source === '' ? 'The host' : host.source],
      ]}
    />
  </Panel>
);
