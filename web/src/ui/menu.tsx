import type { ReactNode } from 'react';
import { useId, useRef } from 'react';
import buttonStyles from './button.module.css';
import styles from './menu.module.css';

interface MenuProps {
  readonly label: ReactNode;
  readonly children: ReactNode;
}

/** A button that opens a list of more: the browser's own popover, which closes by Escape and by a press elsewhere. */
export function Menu({ label, children }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const positionList = () => {
    const anchor = button.current?.getBoundingClientRect();
    const element = list.current;
    if (anchor === undefined || element === null) return;
    const left = Math.min(anchor.left, document.documentElement.clientWidth - element.offsetWidth - 8);
    element.style.left = `${Math.max(8, left)}px`;
    element.style.top = `${anchor.bottom + 4}px`;
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className={`${buttonStyles.button} ${buttonStyles.plain} ${buttonStyles.medium}`}
        popoverTarget={id}
      >
        {label} <span aria-hidden="true">▾</span>
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a press on one of the buttons in it closes it; they have the keys */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div
        ref={list}
        id={id}
        popover="auto"
        className={styles.menu}
        onToggle={positionList}
        onClick={() => list.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}

interface MenuItemProps {
  readonly onSelect: () => void;
  readonly isDestructive?: boolean;
  readonly children: ReactNode;
}

export const MenuItem = ({ onSelect, isDestructive = false, children }: MenuItemProps) => (
  <button type="button" className={`${styles.item} ${isDestructive ? styles.danger : ''}`} onClick={onSelect}>
    {children}
  </button>
);
