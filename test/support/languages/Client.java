import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Sends each case by java.net.http or HttpURLConnection, and prints what it sees. A case: address, authorization, Content-Encoding, close or keep. */
class Client {
    public static void main(String[] args) {
        byte[] body = new byte[Integer.parseInt(args[1])];
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        for (int index = 2; index < args.length; index++) {
            String[] of = args[index].split("\\|");
            try {
                System.out.println(args[0].equals("http") ? byClient(client, of, body) : byConnection(of, body));
            } catch (Exception error) {
                System.out.println(error);
            }
        }
    }

    private static int byClient(HttpClient client, String[] of, byte[] body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(of[0])).header("Content-Type", "application/json");
        if (!of[1].isEmpty()) request.header("Authorization", of[1]);
        if (!of[2].isEmpty()) request.header("Content-Encoding", of[2]);
        if (of[3].equals("close")) request.header("Connection", "close");
        request.POST(HttpRequest.BodyPublishers.ofByteArray(body));
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    private static int byConnection(String[] of, byte[] body) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) URI.create(of[0]).toURL().openConnection();
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length);
        connection.setRequestProperty("Content-Type", "application/json");
        if (!of[1].isEmpty()) connection.setRequestProperty("Authorization", of[1]);
        if (!of[2].isEmpty()) connection.setRequestProperty("Content-Encoding", of[2]);
        if (of[3].equals("close")) connection.setRequestProperty("Connection", "close");
        try {
            connection.getOutputStream().write(body);
        } catch (java.net.HttpRetryException asked) {
            return asked.responseCode();
        }
        try {
            return connection.getResponseCode();
        } catch (java.net.HttpRetryException asked) {
            return asked.responseCode();
        }
    }
}
