import { useEffect, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import styles from './shortcuts.module.css';

const SHORTCUTS: readonly (readonly [keys: readonly string[], effect: string])[] = [
  [['/', 'Ctrl K', '⌘ K'], 'Search hosts, clusters, operations and actions'],
  [['?'], 'Show this list'],
  [['Esc'], 'Close a dialog or the details of a host'],
  [['↑', '↓'], 'Move between rows of a table, results or cells of a grid'],
  [['Home', 'End'], 'Go to the first or the last row'],
  [['Enter'], 'Open the selected row, result or host'],
  [['Shift click'], 'Select all hosts between two checkboxes'],
];

const STORAGE_KEY = 'hostler-single-key-shortcuts';

/** Speech input can type single keys by accident, so a user can turn them off. */
const usesSingleKeys = (): boolean => localStorage.getItem(STORAGE_KEY) !== 'off';

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox], [type=radio]), textarea, select') !== null;

const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

interface ShortcutHandlers {
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}

/** Ignores all keys while a dialog is open, and single keys while the user types in a field. */
export function useShortcuts({ onSearch, onHelp }: ShortcutHandlers): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const isSearchKey = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey;
      const isPlain = !ctrlKey && !metaKey && !altKey && !isTyping(event) && usesSingleKeys();
      if (isDialogOpen() || !(isSearchKey || (isPlain && (key === '/' || key === '?')))) return;
      event.preventDefault();
      if (key === '?') onHelp();
      else onSearch();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onSearch, onHelp]);
}

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(usesSingleKeys);
  const toggle = () => {
    localStorage.setItem(STORAGE_KEY, isOn ? 'off' : 'on');
    setOn(!isOn);
  };
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles.shortcuts}>
        {SHORTCUTS.map(([keys, effect]) => (
          <div key={effect}>
            <dt>
              {keys.map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input type="checkbox" checked={isOn} onChange={toggle} /> Use the single keys / and ? in this browser
      </label>
    </Dialog>
  );
}
