import { Page } from '../../ui/page.tsx';

export const OperationPage = () => (
  <Page title="Operation">
    <p>Operation</p>
  </Page>
);
