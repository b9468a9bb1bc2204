import type { ReactNode } from 'react';
import { useId, useRef } from 'react';
import buttonStyles from './button.module.css';
import styles from './menu.module.css';

/** Uses the native popover, which closes on Escape and on a click outside. */
export function Menu({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) {
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
      <button ref={button} type="button" className={buttonStyles.button} popoverTarget={id}>
        {label} <span aria-hidden="true">▾</span>
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click on an item closes the menu; the items handle the keyboard */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
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
