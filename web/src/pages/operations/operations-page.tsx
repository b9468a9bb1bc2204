import { Page } from '../../ui/page.tsx';

export const OperationsPage = () => (
  <Page title="Operations">
    <p>Operations</p>
  </Page>
);
