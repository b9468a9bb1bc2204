import { Link, Outlet } from '@tanstack/react-router';
import { LivePill } from '../live/live-pill.tsx';
import { useMay, useMe, useSession } from '../session/session.tsx';
import icon from '../ui/icon.svg';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Notices, notice } from '../ui/notices.tsx';
import { problemWords } from '../ui/words/problem-words.ts';
import { PLACES } from './places.ts';
import styles from './shell.module.css';
import { useFocusOnPage } from './use-focus-on-page.ts';

function Places() {
  const { may } = useMay();
  return PLACES.map(({ title, places }) => {
    const shown = places.filter(({ needs }) => may(needs));
    if (shown.length === 0) return null;
    return (
      <div key={title} className={styles.group}>
        <h2>{title}</h2>
        <ul>
          {shown.map(place => (
            <li key={place.to}>
              <Link
                to={place.to}
                className={styles.place}
                activeOptions={{ exact: place.to === '/', includeSearch: false }}
              >
                {place.title}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

function Account() {
  const me = useMe();
  const { signOut } = useSession();
  return (
    <Menu label={me.name}>
      <p className={styles.role}>
        Signed in as {me.name} ({me.role})
      </p>
      <Link to="/account" className={styles.menuLink}>
        Account settings
      </Link>
      <a href="/docs" className={styles.menuLink}>
        API reference
      </a>
      <MenuItem onChoose={() => signOut().catch(error => notice(problemWords(error).text))}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

/** What is around every page. */
export function Shell() {
  useFocusOnPage();
  return (
    <div className={styles.shell}>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <header className={styles.top}>
        <Link to="/" className={styles.brand}>
          <img src={icon} alt="" width={24} height={24} /> Hostler
        </Link>
        <LivePill />
        <Account />
      </header>
      <nav aria-label="Main navigation" className={styles.nav}>
        <Places />
      </nav>
      <Outlet />
      <Notices />
    </div>
  );
}
