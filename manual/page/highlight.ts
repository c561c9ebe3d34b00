/** Colours for code. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import csharp from 'highlight.js/lib/languages/csharp';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from './html.ts';

const LANGUAGES = {
  sh: bash,
  json,
  ts: typescript,
  js: typescript,
  python,
  php,
  csharp,
  java,
  ruby,
  sql,
  ini,
  nginx,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Code as HTML; plain where the language is not known here. */
export function highlight(code: string, language: string): string {
  if (hljs.getLanguage(language) === undefined) return escapeHtml(code);
  const html = hljs.highlight(code, { language }).value;
  // An answer in one line may be broken between its members.
  return language === 'json' ? html.replaceAll(/(,<\/span>|,)(?=<span|")/g, '$1<wbr>') : html;
}
