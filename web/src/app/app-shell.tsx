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
 * Moves the focus to the heading of the new page after a navigation, so a screen reader reads it and Tab continues from
 * there. The first page and changes of the search parameters do not move the focus.
 */
function useFocusOnNavigation(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const previous = useRef(path);
  useEffect(() => {
    const hasMoved = previous.current !== undefined && previous.current !== path;
    previous.current = path;
    // On a narrow screen the navigation is one line that scrolls horizontally.
    document.querySelector('nav [data-status=active]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
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
      <MenuItem onSelect={() => signOut().catch(error => showToast(errorMessage(error).text))}>Sign out</MenuItem>
    </Menu>
  );
}

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
