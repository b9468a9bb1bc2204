import { Facts, Panel } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';
import { When } from '../../ui/when.tsx';
import styles from './host.module.css';
import type { StatusReport } from './use-host.ts';

const yesOrNo = (is: boolean | undefined) =>
  is === undefined ? '–' : <Badge tone={is ? 'good' : 'bad'}>{is ? 'Yes' : 'No'}</Badge>;

/** What the container manager of its cluster says of it. */
export const NodePanel = ({
  report: { type, container_manager: node },
}: {
  readonly report: StatusReport;
}) => (
  <Panel title="Container manager">
    <Facts
      of={[
        ['Type', type],
        ['Node', node.name ?? '–'],
        ['Ready', yesOrNo(node.ready)],
        ['Schedulable', yesOrNo(node.schedulable)],
        ['Last report', <When key="reported" at={node.reported_at ?? ''} as="ago" />],
      ]}
    />
    {node.reason !== undefined && <p className={styles.problem}>{node.reason}</p>}
  </Panel>
);
