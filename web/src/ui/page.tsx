import type { ReactNode, RefObject } from 'react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { ErrorBox } from './callout.tsx';
import styles from './page.module.css';

/** Whether the heading that has gone last had the focus. */
let hadFocus = false;

/** A page that is read may be drawn anew as another, and its heading with it: whoever was at the heading still is. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const own = heading.current;
    if (hadFocus && document.activeElement === document.body) own?.focus({ preventScroll: true });
    hadFocus = false;
    return () => {
      hadFocus = document.activeElement === own;
    };
  }, []);
  return heading;
}

interface PageProps {
  readonly title: string;
  /** What stands in the place of the title, where that is more than words. */
  readonly heading?: ReactNode;
  /** The way here: links to what it is part of. */
  readonly breadcrumb?: ReactNode;
  /** What can be done with all of it. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page: its title, what can be done, and the rest. */
export function Page({ title, heading, breadcrumb, actions, children }: PageProps) {
  const headingRef = useHeadingFocus();
  useEffect(() => {
    document.title = `${title} · Hostler`;
  }, [title]);
  return (
    <main className={styles.page} id="main" tabIndex={-1}>
      <header className={styles.header}>
        <div className={styles.titles}>
          {breadcrumb && (
            <nav aria-label="Breadcrumb" className={styles.breadcrumb}>
              {breadcrumb}
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
export const TwoColumns = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
);

/** Names and values. */
export const DescriptionList = ({
  items,
}: {
  readonly items: readonly (readonly [name: string, value: ReactNode])[];
}) => (
  <dl className={styles.descriptionList}>
    {items.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Where there is nothing yet: what to do first. */
export const EmptyState = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}) => (
  <div className={styles.empty}>
    <p className={styles.emptyTitle}>{title}</p>
    {children}
  </div>
);

/** While it is read for the first time. */
export const Loading = ({ label }: { readonly label: string }) => (
  <p className={styles.loading} role="status">
    Loading {label}…
  </p>
);

interface QueryViewProps<Data> {
  /** A query. */
  readonly query: { readonly data: Data | undefined; readonly error: unknown };
  /** What is read: `tokens`. */
  readonly label: string;
  readonly children: (data: Data) => ReactNode;
}

/** What was read; until then that it is read, or why it cannot be. What is there stays when it cannot be read anew. */
export const QueryView = <Data,>({ query: { data, error }, label, children }: QueryViewProps<Data>) => (
  <>
    <ErrorBox error={error} />
    {data !== undefined && children(data)}
    {data === undefined && (error === null || error === undefined) && <Loading label={label} />}
  </>
);
