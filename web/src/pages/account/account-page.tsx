import { useState } from 'react';
import { useAccount } from '../../auth/session.tsx';
import { FieldGroup } from '../../ui/forms/field.tsx';
import { DescriptionList, Page, Panel, TwoColumns } from '../../ui/page.tsx';
import type { Theme } from '../../ui/theme.ts';
import { savedTheme, saveTheme, THEMES } from '../../ui/theme.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import styles from './account.module.css';
import { ChangePasswordPanel, SessionsPanel } from './password-panels.tsx';

const THEME_LABELS: Readonly<Record<Theme, string>> = { system: 'System', dark: 'Dark', light: 'Light' };

function AppearancePanel() {
  const [theme, setTheme] = useState(savedTheme);
  const selectTheme = (next: Theme) => {
    saveTheme(next);
    setTheme(next);
  };
  return (
    <Panel title="Appearance">
      <FieldGroup legend="Theme in this browser">
        {THEMES.map(option => (
          <label key={option} className={styles.theme}>
            <input type="radio" name="theme" checked={option === theme} onChange={() => selectTheme(option)} />
            {THEME_LABELS[option]}
          </label>
        ))}
      </FieldGroup>
    </Panel>
  );
}

export function AccountPage() {
  const { name, role, created_at, changed_at } = useAccount();
  return (
    <Page title="Your account">
      <TwoColumns>
        <Panel title="Profile">
          <DescriptionList
            items={[
              ['Account', name],
              ['Role', role],
              ['Created', <Timestamp key="created" at={created_at} />],
              ['Updated', <Timestamp key="updated" at={changed_at} />],
            ]}
          />
        </Panel>
        <AppearancePanel />
        <ChangePasswordPanel />
        <SessionsPanel />
      </TwoColumns>
    </Page>
  );
}
