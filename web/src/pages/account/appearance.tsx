import { useState } from 'react';
import { FieldGroup } from '../../ui/forms/field.tsx';
import { Panel } from '../../ui/page.tsx';
import type { Theme } from '../../ui/theme.ts';
import { chooseTheme, chosenTheme, THEMES } from '../../ui/theme.ts';
import styles from './account.module.css';

const WORDS: Readonly<Record<Theme, string>> = {
  system: 'System',
  dark: 'Dark',
  light: 'Light',
};

/** How the dashboard looks in this browser. */
export function Appearance() {
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <Panel title="Appearance">
      <FieldGroup legend="Theme in this browser">
        {THEMES.map(each => (
          <label key={each} className={styles.theme}>
            <input type="radio" name="theme" checked={each === theme} onChange={() => choose(each)} />
            {WORDS[each]}
          </label>
        ))}
      </FieldGroup>
    </Panel>
  );
}
