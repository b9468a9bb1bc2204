import { Page } from '../../ui/page.tsx';

export const TokensPage = () => (
  <Page title="Enrolment tokens">
    <p>Enrolment tokens</p>
  </Page>
);
