import { Facts, Panel } from '../../ui/page.tsx';
import { When } from '../../ui/when.tsx';
import styles from './host.module.css';
import type { OwnStatus } from './use-host.ts';

/** The host source that its facts come from. */
export const SourcePanel = ({ source }: { readonly source: NonNullable<OwnStatus['source']> }) => (
  <Panel title="Host source">
    <Facts
      of={[
        ['Name', source.name],
        ['Last updated', <When key="told" at={source.refreshed_at ?? ''} as="ago" never="Never" />],
        ['Knows this host', source.known ? 'Yes' : 'No (facts come from the host)'],
        ...Object.entries(source.conditions ?? {}).map(([name, text]) => [name, text] as const),
      ]}
    />
    {source.problem !== undefined && <p className={styles.problem}>{source.problem}</p>}
  </Panel>
);
