import type { ReactNode, RefObject } from 'react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { ErrorBox } from './callout.tsx';
import styles from './page.module.css';

/** The next heading gets the focus: the last one had it, or the page is still loading after a navigation. */
let isFocusWanted = false;

/** After a navigation. A page that is loading gets the focus when it is shown. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('#main h1');
  isFocusWanted = heading === null;
  heading?.focus({ preventScroll: true });
}

/** A page can remount while it loads. Restores the focus of its heading. */
function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const element = heading.current;
    if (isFocusWanted && document.activeElement === document.body) element?.focus({ preventScroll: true });
    isFocusWanted = false;
    return () => {
      isFocusWanted = document.activeElement === element;
    };
  }, []);
  return heading;
}

interface PageProps {
  readonly title: string;
  readonly heading?: ReactNode;
  readonly breadcrumb?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

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
          {/* Gets the focus after a navigation. */}
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
  /** Without padding, for tables. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
}

export const Panel = ({ title, actions, isFlush = false, children }: PanelProps) => (
  <section className={styles.panel} aria-label={title}>
    <header className={styles.panelHeader}>
      <h2>{title}</h2>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
    <div className={isFlush ? undefined : styles.panelBody}>{children}</div>
  </section>
);

export const TwoColumns = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
);

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

export const EmptyState = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className={styles.empty}>
    <p className={styles.emptyTitle}>{title}</p>
    {children}
  </div>
);

export const Loading = ({ label }: { readonly label: string }) => (
  <p className={styles.loading} role="status">
    Loading {label}…
  </p>
);

interface QueryViewProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: unknown };
  readonly label: string;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the data, an error or a loading message. Keeps the data when a refetch fails. */
export const QueryView = <Data,>({ query: { data, error }, label, children }: QueryViewProps<Data>) => (
  <>
    <ErrorBox error={error} />
    {data !== undefined && children(data)}
    {data === undefined && (error === null || error === undefined) && <Loading label={label} />}
  </>
);
