import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useAccount, usePermissions, useSession } from '../auth/session.tsx';
import { CreateClusterDialog } from '../clusters/create-cluster-dialog.tsx';
import { EnrolHostsDialog } from '../enrolment/enrol-hosts-dialog.tsx';
import { ConnectionBadge } from '../live/connection-badge.tsx';
import { StartOperationDialog } from '../operations/start/start-operation.tsx';
import { errorMessage } from '../ui/format/error-message.ts';
import icon from '../ui/icon.svg';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { focusHeading } from '../ui/page.tsx';
import { showToast, ToastRegion } from '../ui/toasts.tsx';
import styles from './app-shell.module.css';
import { NAV_GROUPS } from './navigation.ts';
import { SearchDialog } from './search/search-dialog.tsx';
import type { SearchAction } from './search/search-results.ts';
import { ShortcutsDialog, useShortcuts } from './shortcuts.tsx';

const NAV_ID = 'navigation';

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
    if (hasMoved) focusHeading();
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
                <item.icon size={16} aria-hidden="true" />
                {item.title}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

function AccountMenu({ onHelp }: { readonly onHelp: () => void }) {
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
      <MenuItem onSelect={onHelp}>Keyboard shortcuts</MenuItem>
      <MenuItem onSelect={() => signOut().catch(error => showToast(errorMessage(error).text))}>Sign out</MenuItem>
    </Menu>
  );
}

type OpenDialog = 'search' | SearchAction;

interface ShellDialogProps {
  readonly dialog: OpenDialog;
  readonly onOpen: (dialog: OpenDialog) => void;
  readonly onClose: () => void;
}

function ShellDialog({ dialog, onOpen, onClose }: ShellDialogProps) {
  if (dialog === 'search') return <SearchDialog onAction={onOpen} onClose={onClose} />;
  switch (dialog.kind) {
    case 'enrol_hosts':
      return <EnrolHostsDialog onClose={onClose} />;
    case 'create_cluster':
      return <CreateClusterDialog onClose={onClose} />;
    case 'restart':
    case 'upgrade':
    case 'deploy':
      return <StartOperationDialog cluster={dialog.cluster} kind={dialog.kind} onClose={onClose} />;
    case 'show_shortcuts':
      return <ShortcutsDialog onClose={onClose} />;
  }
}

export function AppShell() {
  useFocusOnNavigation();
  const [dialog, setDialog] = useState<OpenDialog>();
  /** On a narrow screen the navigation is a menu. */
  const [isMenuOpen, setMenuOpen] = useState(false);
  const menuButton = useRef<HTMLButtonElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // A dialog can contain links to other pages.
  useEffect(() => {
    setDialog(undefined);
    setMenuOpen(false);
  }, [path]);
  const closeMenuOnEscape = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isMenuOpen) return;
    menuButton.current?.focus();
    setMenuOpen(false);
  };
  const onSearch = useCallback(() => setDialog('search'), []);
  const onHelp = useCallback(() => setDialog({ kind: 'show_shortcuts' }), []);
  useShortcuts({ onSearch, onHelp });
  return (
    <div className={styles.shell}>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <header className={styles.topBar}>
        <button
          ref={menuButton}
          type="button"
          className={styles.menuButton}
          aria-label="Menu"
          aria-expanded={isMenuOpen}
          aria-controls={NAV_ID}
          onKeyDown={closeMenuOnEscape}
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <MenuIcon size={18} aria-hidden="true" />
        </button>
        <Link to="/" className={styles.brand}>
          <img src={icon} alt="" width={24} height={24} /> Hostler
        </Link>
        <button
          type="button"
          aria-label="Search"
          className={styles.search}
          aria-keyshortcuts="/ Control+K"
          onClick={onSearch}
        >
          <Search size={16} aria-hidden="true" />
          <span>Search</span> <kbd>/</kbd>
        </button>
        <ConnectionBadge />
        <AccountMenu onHelp={onHelp} />
      </header>
      <nav
        id={NAV_ID}
        aria-label="Main navigation"
        className={`${styles.nav} ${isMenuOpen ? styles.open : ''}`}
        onKeyDown={closeMenuOnEscape}
      >
        <Navigation />
      </nav>
      <Outlet />
      <ToastRegion />
      {dialog && <ShellDialog dialog={dialog} onOpen={setDialog} onClose={() => setDialog(undefined)} />}
    </div>
  );
}
