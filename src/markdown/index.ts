/**
 * The conversation format, pure: text in, text out. Offsets count UTF-16 units of a text with `\n` line ends.
 * The door of this folder; see docs/document-format.md.
 */

export { argumentsMost, boundedValue, YamlBeyond } from './bounded-yaml';
export { createTextGuard, type TextGuard, type WritingPlace, writingPlace } from './conversation/guard';
export { distinctViews, type GuardView, guardView, guardViewBelow } from './conversation/guard-view';
export { openFence, readsOnAlike } from './conversation/open-fence';
export { parseConversation, readToolBlock } from './conversation/parse';
export { newInPersonsName, type PersonsLine, personsLines } from './conversation/persons-lines';
export { createRoleOf, isWithinLine, type RoleTag, roleTagsIn } from './conversation/tags';
export { hasWords, type ToolTurn, turnsOfTools, wordsOfLine } from './conversation/tool-turns';
export { blockAt, sentText, turnAt, turnsBefore, wordsWithin } from './conversation/turns-to-send';
export { createServerCheck, languageOf, ofServer } from './fence-language';
export { printForeignName, printForeignText, printForeignTurn, withoutRules } from './foreign';
export { fileExtension, fileName } from './foreign-file';
export { editFrontMatter, type FrontMatter, readFrontMatter, writtenIn } from './front-matter';
export { findHeadings, type Heading, headingsNamed } from './headings';
export { escapeHidden } from './hidden';
export { type Addition, endOfTurn, type Insertion, keepsRest, linksOf } from './keeps-rest';
export { createLinkTargets, type LinkTargets } from './link-targets';
export { findLinks, findLinksInLine, type NoteLink, wikiParts } from './links';
export { withLinksAs } from './links-as';
export type * from './model';
export {
  type FailureFacts,
  isAsWritten,
  isNotice,
  printFailure,
  printLeftOut,
  printNotSent,
  printThinking,
  readFailureFacts,
  wasFor,
  withOld,
  withoutFailureFacts,
  withSum,
} from './notices';
export { findResourceLinks, printResourceLink, type ResourceLink } from './resource-links';
export { resultText } from './result-text';
export {
  type Above as LinesAbove,
  type Block as NoteBlock,
  calloutHead,
  type Fence as NoteFence,
  fenceOpening,
  quoted,
  scanBlocks,
  scanLines,
  staysBelow,
} from './scan';
export { sectionOf } from './sections';
export { printArguments, printKeyInLine, printToolName, printValueInLine } from './tool-calls/body';
export { type CalloutText, codeLines, readCallout } from './tool-calls/callout';
export { type Completion, completionAt } from './tool-calls/completion';
export {
  printBlockResult,
  printPart,
  printToolBlock,
  printToolCall,
  reprintToolBlock,
} from './tool-calls/print';
export { readToolCallout, splitCallout } from './tool-calls/read';
export { printToolTemplate } from './tool-calls/template';
export { printName } from './tool-calls/words';
export { yamlFlow } from './yaml-flow';
