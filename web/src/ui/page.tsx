import type { ReactNode } from 'react';
import { useEffect } from 'react';
import styles from './page.module.css';
import { useHeadingFocus } from './use-heading-focus.ts';

interface PageProps {
  readonly title: string;
  /** What stands in the place of the title, where that is more than words. */
  readonly heading?: ReactNode;
  /** The way here: links to what it is part of. */
  readonly trail?: ReactNode;
  /** What can be done with all of it. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page: its title, what can be done, and the rest. */
export function Page({ title, heading, trail, actions, children }: PageProps) {
  const headingRef = useHeadingFocus();
  useEffect(() => {
    document.title = `${title} · Hostler`;
  }, [title]);
  return (
    <main className={styles.page} id="main" tabIndex={-1}>
      <header className={styles.header}>
        <div className={styles.titles}>
          {trail && (
            <nav aria-label="Breadcrumb" className={styles.trail}>
              {trail}
            </nav>
          )}
          {/* Whoever comes from another page is put here. */}
          <h1 ref={headingRef} tabIndex={-1}>
            {heading ?? title}
          </h1>
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </main>
  );
}

interface PanelProps {
  readonly title: string;
  readonly actions?: ReactNode;
  /** Without space around what is in it, for tables. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
}

/** A part of a page with a title of its own. */
export const Panel = ({ title, actions, isFlush = false, children }: PanelProps) => (
  <section className={styles.panel} aria-label={title}>
    <header className={styles.panelHeader}>
      <h2>{title}</h2>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
    <div className={isFlush ? undefined : styles.panelBody}>{children}</div>
  </section>
);

/** Panels side by side where there is room. */
export const Columns = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
);

/** Names and values. */
export const Facts = ({ of }: { readonly of: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={styles.facts}>
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Where there is nothing yet: what to do first. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className={styles.empty}>
    <p className={styles.emptyTitle}>{title}</p>
    {children}
  </div>
);

/** While it is read for the first time. */
export const Loading = ({ what }: { readonly what: string }) => (
  <p className={styles.loading} role="status">
    Loading {what}…
  </p>
);
