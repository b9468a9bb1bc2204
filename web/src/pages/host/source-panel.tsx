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
        ['Told', <When key="told" at={source.refreshed_at ?? ''} as="ago" never="not yet" />],
        ['Knows the host', source.known ? 'yes' : 'no; the facts are its own'],
        ...Object.entries(source.conditions ?? {}).map(([name, text]) => [name, text] as const),
      ]}
    />
    {source.problem !== undefined && <p className={styles.problem}>{source.problem}</p>}
  </Panel>
);
