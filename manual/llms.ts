/** `/llms.txt`: the entry point for language models (llmstxt.org). */
import { markdownOf } from './page/layout.ts';
import { type Chapter, SHOWN_ADDRESS } from './pages.ts';

export function llmsText(chapters: readonly Chapter[]): string {
  const lists = chapters.map(({ title, pages }) => {
    const links = pages.map(
      (page) => `- [${page.title}](${SHOWN_ADDRESS}${markdownOf(page)}): ${page.says}`,
    );
    return `## ${title}\n\n${links.join('\n')}`;
  });
  return `# Ledgerstone

> Ledgerstone stores the records of funeral homes that other systems send to it. Every record is created or updated by \`POST /v1/<resource>/upsert\` at ${SHOWN_ADDRESS}, with an API key as the username of HTTP Basic authentication or as a bearer token. What is sent is merged into what is stored; repeating a request changes nothing.

The whole interface as OpenAPI 3.1 is at ${SHOWN_ADDRESS}/openapi.json. An error names every fault of a request in \`errors\`, each with \`param\`, \`code\` and \`message\`.

${lists.join('\n\n')}
`;
}
