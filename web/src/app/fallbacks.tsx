import { Link } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';

export const NotFound = () => (
  <Page title="Page not found">
    <Empty title="This address does not match any page">
      <p>
        Go to the <Link to="/">overview</Link> or <Link to="/hosts">browse all hosts</Link>.
      </p>
    </Empty>
  </Page>
);

/** A page that broke takes no other with it. */
export const PageFailed = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) => (
  <Page title="Something went wrong" actions={<Button onClick={reset}>Try again</Button>}>
    <ProblemBox problem={error} />
  </Page>
);
