import { useMe } from '../../session/session.tsx';
import { Columns, Facts, Page, Panel } from '../../ui/page.tsx';
import { When } from '../../ui/when.tsx';
import { Appearance } from './appearance.tsx';
import { ChangePassword } from './change-password.tsx';
import { EndSessions } from './end-sessions.tsx';

/** One's own account. */
export function AccountPage() {
  const { name, role, created_at, changed_at } = useMe();
  return (
    <Page title="Your account">
      <Columns>
        <Panel title="Profile">
          <Facts
            of={[
              ['Account', name],
              ['Role', role],
              ['Created', <When key="created" at={created_at} />],
              ['Updated', <When key="updated" at={changed_at} />],
            ]}
          />
        </Panel>
        <Appearance />
        <ChangePassword />
        <EndSessions />
      </Columns>
    </Page>
  );
}
