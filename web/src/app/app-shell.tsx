import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useAccount, usePermissions, useSession } from '../auth/session.tsx';
import { ConnectionBadge } from '../live/connection-badge.tsx';
import { errorMessage } from '../ui/format/error-message.ts';
import icon from '../ui/icon.svg';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { showToast, ToastRegion } from '../ui/toasts.tsx';
import styles from './app-shell.module.css';
import { NAV_GROUPS } from './navigation.ts';

/**
 * Whoever goes to another page is at its heading then, which is read aloud to whoever hears it; Tab goes on from there and not from the
 * link that was pressed. The first page is left as the browser has it, and so is one on which only the search has changed.
 */
export function useFocusOnNavigation(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const previous = useRef(path);
  useEffect(() => {
    const hasMoved = previous.current !== undefined && previous.current !== path;
    previous.current = path;
    // On a phone the menu is one line that goes on beyond the edge.
    document
      .querySelector('nav [data-status=active]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
    if (hasMoved) document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true });
  }, [path]);
}

function Navigation() {
  const { can } = usePermissions();
  return NAV_GROUPS.map(({ title, items }) => {
    const visible = items.filter(({ requires }) => can(requires));
    if (visible.length === 0) return null;
    return (
      <div key={title} className={styles.group}>
        <h2>{title}</h2>
        <ul>
          {visible.map(item => (
            <li key={item.to}>
              <Link
                to={item.to}
                className={styles.navLink}
                activeOptions={{ exact: item.to === '/', includeSearch: false }}
              >
                {item.title}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

function AccountMenu() {
  const account = useAccount();
  const { signOut } = useSession();
  return (
    <Menu label={account.name}>
      <p className={styles.role}>
        Signed in as {account.name} ({account.role})
      </p>
      <Link to="/account" className={styles.menuLink}>
        Account settings
      </Link>
      <a href="/docs" className={styles.menuLink}>
        API reference
      </a>
      <MenuItem onSelect={() => signOut().catch(error => showToast(errorMessage(error).text))}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

/** What is around every page. */
export function AppShell() {
  useFocusOnNavigation();
  return (
    <div className={styles.shell}>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <header className={styles.topBar}>
        <Link to="/" className={styles.brand}>
          <img src={icon} alt="" width={24} height={24} /> Hostler
        </Link>
        <ConnectionBadge />
        <AccountMenu />
      </header>
      <nav aria-label="Main navigation" className={styles.nav}>
        <Navigation />
      </nav>
      <Outlet />
      <ToastRegion />
    </div>
  );
}
