import type { ReactNode } from 'react';
import type { RouteName } from '#contract/index.ts';
import { Empty, Page } from '../ui/page.tsx';
import { useMay } from './session.tsx';

interface NeedsProps {
  readonly route: RouteName;
  /** Of the page. */
  readonly title: string;
  readonly children: ReactNode;
}

/** A page for those who may read what it shows; others are told why it is empty. */
export function Needs({ route, title, children }: NeedsProps) {
  const { may, whyNot } = useMay();
  if (may(route)) return children;
  return (
    <Page title={title}>
      <Empty title="You do not have access to this page">
        <p>{whyNot(route)} Ask an admin for access.</p>
      </Empty>
    </Page>
  );
}
