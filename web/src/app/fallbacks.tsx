import { Link } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';

export const NotFound = () => (
  <Page title="There is no such page">
    <Empty title="Nothing is here.">
      <p>
        Go to the <Link to="/">overview</Link>, or look for a host among <Link to="/hosts">all hosts</Link>.
      </p>
    </Empty>
  </Page>
);

/** A page that broke takes no other with it. */
export const PageFailed = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) => (
  <Page title="This page has failed" actions={<Button onClick={reset}>Try again</Button>}>
    <ProblemBox problem={error} />
  </Page>
);
