import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
const tags = [
  ...['p', 'br', 'strong', 'em', 's', 'code', 'pre', 'blockquote', 'hr', 'ul', 'ol', 'li', 'a'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
const withLinks = {
  ALLOWED_TAGS: tags,
  ALLOWED_ATTR: ['href', 'start'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
};
const withImages = {
  ALLOWED_TAGS: [...tags, 'img'],
  ALLOWED_ATTR: ['href', 'start', 'src', 'alt'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|data:image\/(?:png|jpeg|gif|webp);base64,)/i,
};

export const escapeHtml = (text: string): string => markdown.utils.escapeHtml(text);

/** HTML that stands in the place of an image. */
export type ImageHtml = (image: { readonly address: string; readonly words: string }) => string;

/** Markdown as HTML for wherever it is shown: no HTML of its writer, nothing that runs. Images only as `data:`, and only with `images`. */
export function renderMarkdown(text: string, image: ImageHtml, { images = false } = {}): string {
  markdown.renderer.rules.image = (tokens, at) => {
    const token = tokens[at];
    return image({ address: String(token?.attrGet('src') ?? ''), words: token?.content ?? '' });
  };
  return DOMPurify.sanitize(markdown.render(text), images ? withImages : withLinks);
}
